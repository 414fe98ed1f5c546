"""W3C Web Annotation: layers as annotations with selectors."""
