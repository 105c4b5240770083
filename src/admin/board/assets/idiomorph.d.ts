/** Loaded before the board's own script. */
declare const Idiomorph: typeof import('idiomorph').Idiomorph;
