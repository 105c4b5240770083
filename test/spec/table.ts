import { type Fact, factKinds, type Proof } from './fact.ts';
import { facts } from './facts.ts';

const begin = '<!-- specification:begin -->';
const end = '<!-- specification:end -->';

/** The README with the section between its two markers as the facts have it; throws where a marker is missing. */
export function withTable(readme: string): string {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md needs the lines ${begin} and ${end}`);
  return `${readme.slice(0, from + begin.length)}\n${writeSection()}\n${readme.slice(to)}`;
}

/** The path of a proof's file. */
export const fileOf = ([file]: Proof): string => `test/${file}.test.ts`;

function writeSection(): string {
  const kinds = factKinds.map((kind) => ({ kind, rows: bySection(facts.filter((fact) => fact.kind === kind)) }));
  const untested = facts.filter((fact) => 'unused' in fact).length;
  return [
    '<details>',
    `<summary>${kinds.map(({ kind, rows }) => `${rows.length} ${kind}s`).join(', ')}, each with the test that shows it</summary>`,
    '',
    `\`npm run spec-table\` writes this from the facts in \`test/spec/\`; a test compares the two and looks every title up. ${untested} facts have no test and say why.`,
    ...kinds.flatMap(({ kind, rows }) => ['', ...writeTable(kind, rows)]),
    '',
    '</details>',
  ].join('\n');
}

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
  return `[${file}](${fileOf(proof)}): ${escapeCell(title)}${row === undefined ? '' : ` (\`${row}\`)`}`;
}

/** Plain text as Markdown has it within a table. */
const escapeCell = (text: string): string => text.replaceAll(/[\\|<*_$[\]`]/g, '\\$&');
