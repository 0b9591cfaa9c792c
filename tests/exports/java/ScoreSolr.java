import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.solr.ltr.feature.Feature;
import org.apache.solr.ltr.feature.ValueFeature;
import org.apache.solr.ltr.model.LTRScoringModel;
import org.apache.solr.ltr.norm.IdentityNormalizer;
import org.apache.solr.ltr.norm.Normalizer;
import org.apache.solr.util.SolrPluginUtils;
import org.noggit.ObjectBuilder;

/** Scores rows of a model's own features (a line each) with Solr's classes: MODEL ROWS MODEL ROWS ... */
public class ScoreSolr {
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < args.length; i += 2) {
      LTRScoringModel model = read(Files.readString(Path.of(args[i])));
      for (String line : Files.readAllLines(Path.of(args[i + 1]))) {
        String[] values = line.split(" ");
        float[] row = new float[values.length];
        for (int k = 0; k < row.length; k++) row[k] = Float.parseFloat(values[k]);
        System.out.println("score " + model.score(row));
      }
    }
  }

  /** A model from JSON, by the setters that Solr itself calls. */
  @SuppressWarnings("unchecked")
  private static LTRScoringModel read(String text) throws Exception {
    Map<String, Object> json = (Map<String, Object>) ObjectBuilder.fromJSON(text);
    Map<String, Object> params = (Map<String, Object>) json.get("params");
    List<Feature> features = new ArrayList<>();
    for (Object feature : (List<Object>) json.get("features")) {
      features.add(new ValueFeature(((Map<String, String>) feature).get("name"), null));
    }
    List<Normalizer> norms = new ArrayList<>(Collections.nCopies(features.size(), IdentityNormalizer.INSTANCE));
    LTRScoringModel model =
        (LTRScoringModel)
            Class.forName((String) json.get("class"))
                .getConstructors()[0]
                .newInstance(json.get("name"), features, norms, "store", features, params);
    SolrPluginUtils.invokeSetters(model, params.entrySet());
    return model;
  }
}
