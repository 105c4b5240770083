/** Something to try in a demonstration. */
export interface Try {
  readonly title: string;
  /** Says what happens then, and where to look. */
  readonly text: string;
  readonly button: string;
  /** Where the button leads, or the form of the board that it sends: one of `/board/guide`, or another, such as that of bulk actions. */
  readonly leads: string | { readonly address: string; readonly fields?: Readonly<Record<string, string>> };
}

/** Guide on the first page of a demonstration's board. */
export interface Guide {
  /** Lists what can be tried now. The address is that of the namespace in the Temporal UI, if it is known. */
  tries(temporalUrl: string | undefined): readonly Try[];
  /** Does what has a name; resolves with the address of the page that shows what came of it, or with undefined for an unknown name. */
  act(name: string): Promise<string | undefined>;
  isHidden(): boolean;
  hide(isHidden: boolean): void;
}
