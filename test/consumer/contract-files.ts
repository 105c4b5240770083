import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { announcementTypes } from '../../src/domain/catalogue/announced.ts';
import { catalogue } from '../../src/domain/catalogue/catalogue.ts';
import { collectionOf, type SubjectKind, subjectKinds } from '../../src/domain/catalogue/subject.ts';
import { type Milestone, milestones, stageRows } from '../../src/domain/lifecycle/milestone.ts';
import { snapshot, stockLevels } from '../../src/domain/lifecycle/snapshot.ts';
import { isLastStage, kindsOverOnceCompleted, stages, stagesOf } from '../../src/domain/lifecycle/stage.ts';

const types = [...announcementTypes].map(([type, about]) => ({ type, ...about }));

/** Longest line that the formatter leaves alone. */
const WIDTH = 120;

/** Writes a list of words as the formatter does. */
function listOf(before: string, words: readonly string[], after: string): string {
  const quoted = words.map((word) => `'${word}'`);
  const line = `${before}[${quoted.join(', ')}]${after}`;
  const indent = /^ */.exec(before)?.[0] ?? '';
  return line.length <= WIDTH
    ? line
    : `${before}[\n${quoted.map((word) => `${indent}  ${word},`).join('\n')}\n${indent}]${after}`;
}

/** Composes what the packages for consumers know of types and stages. */
const composeMilestones = (): string => `// Written by \`npm run vectors\`.

/** Types of announcements that this version knows, as the milestones of each kind: \`dockline.{kind}.{milestone}\`. */
export const milestonesOf = {
${subjectKinds
  .map((of) => {
    const known = types.filter(({ kind }) => kind === of).map(({ milestone }) => milestone);
    return listOf(`  ${of}: `, known, ',');
  })
  .join('\n')}
} as const;

/** Place at which a subject stands. */
export type Stage =
${stages.map((stage) => `  | '${stage}'`).join('\n')};
`;

const typeNames = { boolean: 'boolean', integer: 'number', number: 'number', string: 'string' } as const;

/** Writes a form whose members are optional as an interface. */
function interfaceOf(name: string, form: z.ZodObject): string {
  const members = Object.entries(form.shape as Readonly<Record<string, z.ZodType>>).map(([member, of]) => {
    const { enum: values, type } = z.toJSONSchema(of);
    const written =
      values?.map((value) => `'${value}'`).join(' | ') ??
      (type === 'object' ? 'StockLevels' : typeNames[type as keyof typeof typeNames]);
    return `${of.description === undefined ? '' : `  /** ${of.description} */\n`}  readonly ${member}?: ${written} | undefined;\n`;
  });
  return `export interface ${name} {\n${members.join('')}}\n`;
}

/** Composes the facts that the packages for consumers know. */
const composeSnapshot = (): string => `// Written by \`npm run vectors\`.

/** Facts that decide a lifecycle, as last retrieved. */
${interfaceOf('Snapshot', snapshot)}
/** Stock of one item, in units. */
${interfaceOf('StockLevels', stockLevels)}`;

/** Returns the event of the warehouse that leads to a type, or what does instead. */
function sourceOf(kind: string, milestone: Milestone): string {
  const event = catalogue.find(
    (it) => it.milestone === milestone && (it.subject === 'orderItem' ? 'order' : it.subject) === kind,
  );
  if (event) return event.subject === 'orderItem' ? `order item, ${event.label}` : event.label;
  return ['attention', 'lateness'].includes(milestones[milestone].register)
    ? "none: Dockline's clock"
    : 'none: inferred';
}

/** Writes the rows of all types into the tables of a page, each into the one that has its kind. */
function composeEvents(page: string): string {
  return page.replaceAll(/(?:^\| `dockline\.\w+\.\w+` \|.*\|\n)+/gm, (table) => {
    const kinds = new Set([...table.matchAll(/`dockline\.(\w+)/g)].map(([, kind]) => kind));
    return types
      .filter(({ kind }) => kinds.has(kind))
      .map(({ type, kind, milestone, words }) => `| \`${type}\` | ${sourceOf(kind, milestone)} | ${words} |\n`)
      .join('');
  });
}

const listOfKinds = (kinds: readonly SubjectKind[]): string => kinds.map((kind) => collectionOf[kind]).join(', ');

/** Writes the rows of all stages into the table of a page. */
function composeStages(page: string): string {
  const rows = stages.map((stage) => {
    const of = listOfKinds(subjectKinds.filter((kind) => stagesOf(kind).includes(stage)));
    const over = isLastStage(stage) ? 'yes' : stage === 'completed' ? listOfKinds(kindsOverOnceCompleted) : '';
    return `| \`${stage}\` | ${of} | ${stageRows[stage].meaning} |${over && ` ${over}`} |\n`;
  });
  return page.replace(/(?<=^\| stage \|.*\n\|-.*\n)(?:\| `\w+` \|.*\n)+/m, rows.join(''));
}

/** Files with what the tables of events and milestones and the form of facts say, by their paths; `npm run vectors` writes them. */
export const contractFiles = (): Readonly<Record<string, string>> => ({
  'consumer/src/milestones.ts': composeMilestones(),
  'consumer/src/snapshot.ts': composeSnapshot(),
  'docs/events.md': composeStages(composeEvents(readFileSync('docs/events.md', 'utf8'))),
});
