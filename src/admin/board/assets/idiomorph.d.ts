/** The classic script that pages load before the board's own. */
declare const Idiomorph: typeof import('idiomorph').Idiomorph;
