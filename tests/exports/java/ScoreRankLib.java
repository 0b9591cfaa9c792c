import ciir.umass.edu.learning.DenseDataPoint;
import ciir.umass.edu.learning.Ranker;
import ciir.umass.edu.learning.RankerFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;

/** Scores rows of numbers (a line each, NaN where missing) with models of RankLib: MODEL ROWS MODEL ROWS ... */
public class ScoreRankLib {
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < args.length; i += 2) {
      Ranker ranker = new RankerFactory().loadRankerFromFile(args[i]);
      for (String line : Files.readAllLines(Path.of(args[i + 1]))) {
        System.out.println("score " + ranker.eval(new DenseDataPoint(asLetor(line.split(" ")))));
      }
    }
  }

  /** What is missing is left out, but for the last feature, from which RankLib knows how many there are. */
  private static String asLetor(String[] values) {
    StringJoiner row = new StringJoiner(" ").add("0").add("qid:1");
    for (int k = 0; k < values.length; k++) {
      boolean missing = values[k].equals("NaN");
      if (!missing) row.add((k + 1) + ":" + values[k]);
      else if (k == values.length - 1) row.add((k + 1) + ":0");
    }
    return row.toString();
  }
}
