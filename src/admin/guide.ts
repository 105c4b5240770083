export interface Try {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly isTried: boolean;
  /** Opens a page instead of doing something. */
  readonly isElsewhere?: boolean;
  readonly fields?: Readonly<Record<string, string>>;
}

export interface Guide {
  tries(temporalUrl: string | undefined): readonly Try[];
  /** Marks it as tried; returns the page of what came of it, undefined for an unknown name. */
  act(name: string): Promise<string | undefined>;
  open(name: string): string | undefined;
}
