import { z } from 'zod';
import { conditionNames } from '../domain/health/condition.ts';
import { address, isDistinct } from '../forms/forms.ts';
import { withKeys } from '../forms/keys.ts';
import { wholeNumber } from '../forms/numbers.ts';
import { keyed, parseWithin, section, whenParsed } from '../forms/section.ts';
import { type ChannelKindName, type ChannelSettings, channelKindOf, channelKinds } from './channels/kinds.ts';

const listOf = (form: z.ZodType<string>) =>
  z.array(form, 'must be a list').refine(isDistinct, 'must name each once').default([]);

const names = Object.keys(channelKinds) as ChannelKindName[];

/** Settings of a channel of any kind. */
export const channelForms = {
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be of small letters, digits and hyphens, at most 40')
    .describe('Name of the channel.'),
  conditions: z
    .array(z.enum(conditionNames), 'must be a list')
    .default([])
    .describe('Those that it wants. Default: all.'),
  tenants: listOf(z.string().min(1, 'must not be empty')).describe('Accounts that it hears of. Default: all.'),
  customers: listOf(z.string().min(1, 'must not be empty')).describe(
    'Customers of these accounts that it hears of, and of nothing else. Default: all.',
  ),
};

/** Channel with what it wants. */
type AlertChannel = ChannelSettings & Readonly<z.output<z.ZodObject<typeof channelForms>>>;

const unknownKind = z.looseObject({ kind: z.enum(names) });

const formOf = (name: ChannelKindName) => {
  const { forms, rules } = channelKindOf(name);
  return section({ kind: z.literal(name), ...channelForms, ...forms }).superRefine((given, { addIssue }) => {
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
const ofKind = keyed.transform(
  (given, { issues }) => (parseWithin(forms.get(given.kind) ?? unknownKind, given, issues) ?? given) as AlertChannel,
);

const optional = Object.values(channelKinds)
  .toReversed()
  .flatMap(({ forms: own }) => Object.entries<z.ZodType>(own))
  .map(([key, form]) => [key, z.optional(form)] as const);

const channel = withKeys(
  ofKind,
  z.object({
    kind: z.enum(names).describe('Kind of the channel.'),
    ...channelForms,
    ...Object.fromEntries(optional),
  }),
);

export const alertsForm = section({
  boardUrl: address
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Address at which people reach the board. Default: `ADMIN_URL`, or that of the administrative API.'),
  holdSeconds: wholeNumber(0, 86_400)
    .default(60)
    .describe('How long something must be wrong before anybody is notified.'),
  clearSeconds: wholeNumber(0, 86_400).default(300).describe('How long it must be right before the all clear.'),
  failingMinutes: wholeNumber(0, 10_080)
    .default(1)
    .describe('How long every request to a receiver or a warehouse must fail before anybody is notified.'),
  awayMinutes: wholeNumber(1, 10_080).default(5).describe('Downtime of Dockline that is reported afterwards.'),
  channels: z.array(channel, 'must be a list').min(1, 'must name at least one').describe('Channels, at least one.'),
}).superRefine(({ channels }, { addIssue }) => {
  for (const [index, { name }] of channels.entries())
    if (channels.findIndex((it) => it.name === name) < index)
      addIssue({
        code: 'custom',
        path: ['channels', index, 'name'],
        message: 'repeats that of a channel above',
      });
}, whenParsed);

/** Settings of alerts, parsed. */
export type AlertSettings = Readonly<z.output<typeof alertsForm>>;
