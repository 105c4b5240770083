/** The kinds of facts, in the order in which the README lists them. */
export const factKinds = ['operation', 'expansion', 'event', 'transition', 'rule'] as const;

/** Kind of a fact of the specification. */
export type FactKind = (typeof factKinds)[number];

/**
 * A test that shows a fact: its file below `test/` without `.test.ts`, and its title as it is written there, after those of the
 * groups around it, with ` > ` between them. Of a table of cases, the one that shows it follows as it is written there; none does
 * where the cases are the facts themselves.
 */
export type Proof = readonly [file: string, title: string, row?: string | undefined];

/** A fact of the specification, in words of our own, with the tests that show it or the reason why none does. */
export type Fact = { readonly section: string; readonly kind: FactKind; readonly what: string } & (
  | { readonly shownBy: readonly Proof[] }
  | { readonly unused: string }
);

/** A fact that tests show. */
export function shown(kind: FactKind, section: string, what: string, ...shownBy: readonly Proof[]): Fact {
  return { section, kind, what, shownBy };
}

/** A rule that tests show. */
export const rule = (section: string, what: string, ...shownBy: readonly Proof[]): Fact =>
  shown('rule', section, what, ...shownBy);

/** A fact that nothing here makes use of, and why. */
export function unused(kind: FactKind, section: string, what: string, why: string): Fact {
  return { section, kind, what, unused: why };
}
