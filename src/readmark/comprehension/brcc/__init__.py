"""BRCC: a text file of annotated passages, questions and answer keys, English, Chinese or both.

The notation is that of "Design and Development of a Bilingual Reading Comprehension Corpus",
sections 4.2 to 4.6. The document has no file format: headings are those of its Tables 6 and 9.

`format` is the format. A file is read from the outside in: `container` finds sections,
`side_reader` makes passages of them, `text_reader` takes the tags out of a text, `layers` turns
what they say into layers. Writing goes the other way: `writer`, `side_writer`, `layers`,
`text_writer`.
"""
