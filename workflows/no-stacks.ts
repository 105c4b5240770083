/**
 * Preloaded before workflows run: for each promise the SDK would otherwise build a stack with source maps, whether
 * anybody reads it or not. What workflow code throws has no stack then.
 */
Error.stackTraceLimit = 0;
