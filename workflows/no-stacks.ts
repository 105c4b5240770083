/**
 * Preloaded before workflows run: the SDK would build a stack with source maps for each promise. Errors of workflow
 * code have no stack then.
 */
Error.stackTraceLimit = 0;
