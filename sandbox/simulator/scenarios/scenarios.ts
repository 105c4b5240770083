import { catalogue, subjectOf } from '../../../src/domain/catalogue/catalogue.ts';
import { type SubjectKind, subjectKinds } from '../../../src/domain/catalogue/subject.ts';
import { mainKind } from '../../../src/domain/kinds/kinds.ts';
import { type EventName, kindOf, type ScenarioOf } from '../kinds/kinds.ts';

/** Name of a scenario of orders. */
export type OrderScenario = ScenarioOf<typeof mainKind>;

/** Names of all scenarios of orders. */
export const orderScenarios = Object.keys(kindOf(mainKind).scenarios) as OrderScenario[];

/** Step of a scenario. */
export interface Step {
  readonly name: EventName;
  readonly mark: '' | '?' | '*' | '!' | '-' | '+';
}

/** Sequence of steps that a subject may go through. */
interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Scenarios to choose from. */
export type Scenarios = readonly [Scenario, ...Scenario[]];

/** Scenarios of each kind. */
export const scenarios = Object.fromEntries(
  subjectKinds.map((kind) => [kind, scenariosOf(kind)]),
) as unknown as Readonly<Record<SubjectKind, Scenarios>>;

/** Returns the named scenarios of orders, by default all. A scenario named twice is chosen twice as often. */
export function scenariosNamed(names: readonly OrderScenario[] = []): Scenarios {
  const [first, ...rest] = names.flatMap((name) => scenarios[mainKind].filter((scenario) => scenario.name === name));
  return first ? [first, ...rest] : scenarios[mainKind];
}

function scenariosOf(kind: SubjectKind): readonly Scenario[] {
  const texts = Object.entries(kindOf(kind).scenarios);
  return texts.map(([name, text]) => ({ name, steps: text.split(' ').map((step) => parseStep(kind, step)) }));
}

function parseStep(kind: SubjectKind, text: string): Step {
  const [, milestone, mark = ''] = /^(\w+)([?*!+-]?)$/.exec(text) ?? [];
  const entry = catalogue.find((row) => subjectOf(row.subject) === kind && row.milestone === milestone);
  if (!entry) throw new Error(`${text} is not a step of a scenario`);
  return { name: entry.name as EventName, mark: mark as Step['mark'] };
}
