/** Modes of CloudEvents over HTTP: one JSON document, or the attributes in headers and the data alone as the body. */
export const contentModes = ['structured', 'binary'] as const;

export type ContentMode = (typeof contentModes)[number];
