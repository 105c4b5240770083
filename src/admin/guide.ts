export interface Try {
  /** Its address is `/board/guide/{name}`. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly isTried: boolean;
  /** It opens a page beside the board instead of doing something. */
  readonly isElsewhere?: boolean;
  readonly fields?: Readonly<Record<string, string>>;
}

export interface Guide {
  /** Lists what can be tried now. The address is that of the namespace in the Temporal UI, if it is known. */
  tries(temporalUrl: string | undefined): readonly Try[];
  /** Marks it as tried. Resolves with the address of the page that shows what came of it; undefined for an unknown name. */
  act(name: string): Promise<string | undefined>;
  /** Returns the address of a page that only opens, and marks it as tried; undefined for any other name. */
  open(name: string): string | undefined;
}
