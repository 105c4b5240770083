/** Something to try in a demonstration. */
export interface Try {
  /** Its address is `/board/guide/{name}`. */
  readonly name: string;
  readonly title: string;
  /** Says what happens then, and where to look. */
  readonly text: string;
  readonly button: string;
  readonly isTried: boolean;
  /** It opens a page beside the board instead of doing something. */
  readonly isElsewhere?: boolean;
  /** Fields of the form that it sends to the page where it leads. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Guide of a demonstration's board. */
export interface Guide {
  /** Lists what can be tried now. The address is that of the namespace in the Temporal UI, if it is known. */
  tries(temporalUrl: string | undefined): readonly Try[];
  /** Does what has a name, which is tried then; resolves with the address of the page that shows what came of it, or with undefined for an unknown name. */
  act(name: string): Promise<string | undefined>;
  /** Returns the address of a page that only opens, which is tried then; undefined for any other name. */
  open(name: string): string | undefined;
}
