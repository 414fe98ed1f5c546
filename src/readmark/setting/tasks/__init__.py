"""Reading tasks: packing their files, checking that they agree, exporting what was annotated."""
