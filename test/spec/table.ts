import { accessRules } from './access-rules.ts';
import { eventFacts } from './events.ts';
import { expansionFacts } from './expansions.ts';
import { type Fact, factKinds, type Proof } from './fact.ts';
import { operationFacts } from './operations.ts';
import { transitionFacts } from './transitions.ts';
import { webhookRules } from './webhook-rules.ts';

/** Every operation, expansion, event, transition and rule of the specification. */
export const facts: readonly Fact[] = [
  ...operationFacts,
  ...expansionFacts,
  ...eventFacts,
  ...transitionFacts,
  ...accessRules,
  ...webhookRules,
];

/** The page that lists every statement of the specification with the tests that show it. */
export const page = 'test/spec/specification.md';

/** The path of a proof's file. */
export const fileOf = ([file]: Proof): string => `test/${file}.test.ts`;

/** Returns the content of {@link page}. */
export function writePage(): string {
  const kinds = factKinds.map((kind) => ({ kind, rows: bySection(facts.filter((fact) => fact.kind === kind)) }));
  const untested = facts.filter((fact) => 'unused' in fact).length;
  return [
    '# The specification, checked',
    '',
    "Every statement of the warehouse's specification with the tests that show it: " +
      `${kinds.map(({ kind, rows }) => `${rows.length} ${kind}s`).join(', ')}. ${untested} of them have no test and say why.`,
    '[Assumptions](../../docs/assumptions.md) has what the specification leaves open.',
    '',
    '`npm run spec-table` writes this page from the facts in `test/spec/`; a test compares the two and looks every title up.',
    ...kinds.flatMap(({ kind, rows }) => ['', `## ${titleOf(kind)}`, '', ...writeTable(kind, rows)]),
    '',
  ].join('\n');
}

const titleOf = (kind: string): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}s`;

const bySection = (rows: readonly Fact[]): Fact[] =>
  rows.toSorted((a, b) => a.section.localeCompare(b.section, 'en', { numeric: true }));

function writeTable(kind: string, rows: readonly Fact[]): string[] {
  const cells = rows.map(writeProofs);
  return [
    `| section | ${kind} | shown by |`,
    '|---|---|---|',
    ...rows.map(({ section, what }, index) => {
      const isRepeated = index > 0 && cells[index] === cells[index - 1];
      return `| ${section} | ${escapeCell(what)} | ${isRepeated ? 'as above' : cells[index]} |`;
    }),
  ];
}

function writeProofs(fact: Fact): string {
  if ('unused' in fact) return `no test: ${escapeCell(fact.unused)}`;
  return fact.shownBy.map(writeProof).join('<br>');
}

function writeProof(proof: Proof): string {
  const [file, title, row] = proof;
  return `[${file}](../${file}.test.ts): ${escapeCell(title)}${row === undefined ? '' : ` (\`${row}\`)`}`;
}

/** Plain text as Markdown has it within a table. */
const escapeCell = (text: string): string => text.replaceAll(/[\\|<*_$[\]`]/g, '\\$&');
