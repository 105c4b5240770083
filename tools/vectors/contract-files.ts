import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { words as inWords } from '../../src/base/text.ts';
import { catalogue } from '../../src/domain/catalogue/catalogue.ts';
import { announcementTypes, collectionOf, type SubjectKind, subjectKinds } from '../../src/domain/catalogue/subject.ts';
import { adviceForm } from '../../src/domain/kinds/advice.ts';
import { type Milestone, milestones, stageRows } from '../../src/domain/lifecycle/milestone.ts';
import { snapshot, stockLevels } from '../../src/domain/lifecycle/snapshot.ts';
import { isLastStage, kindsOverOnceCompleted, stages, stagesOf } from '../../src/domain/lifecycle/stage.ts';
import { nounOf } from '../../src/domain/quarantine.ts';

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

type Schema = z.core.JSONSchema.BaseSchema;

/** Writes the type of a value. */
function typeOf({ enum: values, const: only, type, items, properties }: Schema, indent: string): string {
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map((value) => `'${value}'`).join(' | ');
  if (type === 'array') {
    const element = typeOf(items as Schema, indent);
    return `readonly ${/[ |]/.test(element) && !element.startsWith('{') ? `(${element})` : element}[]`;
  }
  if (type === 'object') return `{\n${membersOf(properties as Record<string, Schema>, `${indent}  `)}${indent}}`;
  return type === 'integer' ? 'number' : String(type);
}

/** Writes the members of a form, all of them optional. */
function membersOf(properties: Readonly<Record<string, Schema>>, indent: string): string {
  const members = Object.entries(properties).map(([member, schema]) => {
    const words = schema.description ? `${indent}/** ${schema.description} */\n` : '';
    const isNested = schema.type === 'object' || (schema.items as Schema | undefined)?.type === 'object';
    const written = isNested
      ? `\n${indent}  | ${typeOf(schema, `${indent}    `)}\n${indent}  | undefined`
      : ` ${typeOf(schema, indent)} | undefined`;
    return `${words}${indent}readonly ${member}?:${written};\n`;
  });
  return members.join('');
}

/** Writes a form whose members are optional as an interface. */
const interfaceOf = (name: string, form: z.ZodType): string =>
  `export interface ${name} ${typeOf(z.toJSONSchema(form) as Schema, '')}\n`;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Composes the advices that the packages for consumers know. */
const composeAdvice = (): string => `// Written by \`npm run vectors\`.

${subjectKinds.map((kind) => `/** ${capital(nounOf(kind))} in plain words. What is not known is absent. */\n${interfaceOf(`${capital(kind)}Advice`, adviceForm(kind))}`).join('\n')}
/** Advice of each kind. */
export interface AdviceOf {
${subjectKinds.map((kind) => `  readonly ${kind}: ${capital(kind)}Advice;`).join('\n')}
}
`;

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
    const kinds = new Set([...table.matchAll(/^\| `dockline\.(\w+)/gm)].map(([, kind]) => kind));
    return types
      .filter(({ kind }) => kinds.has(kind))
      .map((of) => `| \`${of.type}\` | ${sourceOf(of.kind, of.milestone)} | ${describeType(of)} |\n`)
      .join('');
  });
}

/** Returns the words of a type, or names the type above that has the same. */
function describeType({ type, milestone, words }: (typeof types)[number]): string {
  const first = types.find((it) => it.milestone === milestone && it.words === words);
  return first === undefined || first.type === type ? words : `As \`${first.type}\`.`;
}

const listOfKinds = (kinds: readonly SubjectKind[]): string =>
  kinds.map((kind) => inWords(collectionOf[kind])).join(', ');

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
  'consumer/src/advice.ts': composeAdvice(),
  'consumer/src/snapshot.ts': composeSnapshot(),
  'docs/events.md': composeStages(composeEvents(readFileSync('docs/events.md', 'utf8'))),
});
