/** Modes of CloudEvents over HTTP: one JSON document, or the attributes in headers and the data alone as the body. */
export const contentModes = ['structured', 'binary'] as const;

/** One of {@link contentModes}. */
export type ContentMode = (typeof contentModes)[number];
