/**
 * Preloaded before workflows run: for each promise the SDK would otherwise build a stack with source maps, which takes a third of the
 * processor time of a worker. What workflow code throws has no stack then.
 */
Error.stackTraceLimit = 0;
