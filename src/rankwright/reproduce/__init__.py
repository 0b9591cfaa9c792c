"""The papers' experiments on the data there is, with the published numbers beside ours."""
