import type { DeadlineRule } from '../../domain/deadlines/rule.ts';
import type { Environment } from '../../forms/forms.ts';
import { calendarsForm } from './calendars.ts';
import {
  deadlinesForm,
  findRuleProblems,
  findUnusedCalendars,
  type Sections,
  toRules,
  UNUSED_CALENDAR,
} from './deadlines.ts';
import { section, whenParsed } from './section.ts';
import { readYamlFile } from './yaml-file.ts';

/**
 * Reads the calendars and deadlines of the only tenant. Returns its rules, or one line of text for each error in the file, which names the
 * line and no value.
 */
export function readDeadlinesFile(
  path: string,
  env: Environment,
  sections: Sections,
): {
  readonly deadlines: readonly DeadlineRule[];
  /** Variables that it names. */
  readonly named: ReadonlySet<string>;
  readonly problems: readonly string[];
} {
  const form = section({ calendars: calendarsForm, deadlines: deadlinesForm }).superRefine(
    ({ calendars, deadlines }, { addIssue }) => {
      for (const [index, key, message] of findRuleProblems(deadlines, calendars, sections))
        addIssue({ code: 'custom', path: ['deadlines', index, key], message });
      for (const name of findUnusedCalendars(deadlines, calendars))
        addIssue({ code: 'custom', path: ['calendars', name], message: UNUSED_CALENDAR });
    },
    whenParsed,
  );
  const { value, ...rest } = readYamlFile(path, env, { variable: 'DEADLINES_FILE', form });
  return { ...rest, deadlines: value ? toRules(value.deadlines, value.calendars) : [] };
}
