import { z } from 'zod';
import type { AlertChannel, AlertSettings } from '../../alerts/channel-settings.ts';
import { type ChannelKindName, channelKindOf, channelKinds } from '../../alerts/channels/kinds.ts';
import { conditionNames } from '../../domain/health/condition.ts';
import { address, type Environment, isDistinct } from '../../forms/forms.ts';
import { wholeNumber } from '../../forms/numbers.ts';
import { wordIssue } from '../word-issue.ts';
import { keyed, section, whenParsed } from './section.ts';
import { readYamlFile } from './yaml-file.ts';

const listOf = (form: z.ZodType<string>) =>
  z.array(form, 'must be a list').refine(isDistinct, 'must name each once').default([]);

/** Settings of a channel of any kind. */
const ownForms = {
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be of small letters, digits and hyphens, at most 40'),
  conditions: z.array(z.enum(conditionNames), 'must be a list').default([]),
  tenants: listOf(z.string().min(1, 'must not be empty')),
  customers: listOf(z.string().min(1, 'must not be empty')),
};

const names = Object.keys(channelKinds) as ChannelKindName[];

const unknownKind = z.looseObject({ kind: z.enum(names) });

const formOf = (name: ChannelKindName) => {
  const { forms, rules } = channelKindOf(name);
  return section({ kind: z.literal(name), ...ownForms, ...forms }).superRefine((given, { addIssue }) => {
    for (const [isBroken, key, message] of rules(given))
      if (isBroken) addIssue({ code: 'custom', path: [key], message });
    if (given.customers.length > 0 && given.tenants.length === 0)
      addIssue({
        code: 'custom',
        path: ['customers'],
        message: 'needs tenants, since each account has customers of its own',
      });
  }, whenParsed);
};

const forms = new Map<unknown, z.ZodType>(names.map((name) => [name, formOf(name)]));

/** Form of a channel: its kind, the settings of that kind, and what it wants. */
const channel = keyed.transform((given, { issues }) => {
  const { data, error } = (forms.get(given.kind) ?? unknownKind).safeParse(given, { error: wordIssue });
  for (const { path, code, message } of error?.issues ?? []) {
    const isMissing = code !== 'custom' && given[String(path[0])] === undefined;
    issues.push({ code: 'custom', path: [...path], message: isMissing ? 'is missing' : message, input: given });
  }
  return (data ?? given) as AlertChannel;
});

const alertsForm = section({
  boardUrl: address.transform((url) => url.replace(/\/+$/, '')).optional(),
  holdSeconds: wholeNumber(0, 86_400).default(60),
  clearSeconds: wholeNumber(0, 86_400).default(300),
  failingMinutes: wholeNumber(0, 10_080).default(1),
  awayMinutes: wholeNumber(1, 10_080).default(5),
  channels: z.array(channel, 'must be a list').min(1, 'must name at least one'),
}).superRefine(({ channels }, { addIssue }) => {
  for (const [index, { name }] of channels.entries())
    if (channels.findIndex((it) => it.name === name) < index)
      addIssue({
        code: 'custom',
        path: ['channels', index, 'name'],
        message: 'repeats that of a channel above',
      });
}, whenParsed);

/** Reads the file of alerts. Returns its settings, or one line of text for each error in it, which names the line and no value. */
export function readAlertsFile(
  path: string,
  env: Environment,
): {
  readonly alerts: AlertSettings | undefined;
  /** Variables that it names. */
  readonly named: ReadonlySet<string>;
  readonly problems: readonly string[];
} {
  const form = section({ alerts: alertsForm });
  const { value, ...rest } = readYamlFile(path, env, {
    variable: 'ALERTS_FILE',
    form,
    within: (keys) => (keys[0] === 'alerts' && keys.length > 1 ? keys.slice(1) : keys),
  });
  return { ...rest, alerts: value?.alerts };
}
