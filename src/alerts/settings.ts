import { z } from 'zod';
import { conditionNames } from '../domain/health/condition.ts';
import { customerIds } from '../forms/destination-forms.ts';
import { address, isDistinct, wholeNumber } from '../forms/forms.ts';
import { type Rule, section, variants } from '../forms/section.ts';
import { type ChannelKindName, type ChannelSettings, channelKindOf, channelKinds } from './channels/kinds.ts';

const names = Object.keys(channelKinds) as ChannelKindName[];

export const channelForms = {
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be of small letters, digits and hyphens, at most 40')
    .describe('Name of the channel.'),
  conditions: z
    .array(z.enum(conditionNames), 'must be a list')
    .default([])
    .describe('Those that it wants. Default: all.'),
  tenants: z
    .array(z.string().min(1, 'must not be empty'), 'must be a list')
    .min(1, 'must name at least one, or be left out for all')
    .refine(isDistinct, 'must name each once')
    .default([])
    .describe('Accounts that it hears of. Default: all.'),
  customers: customerIds
    .default([])
    .describe('Customers of these accounts that it hears of, and of nothing else. Default: all.'),
};

type AlertChannel = ChannelSettings & Readonly<z.output<z.ZodObject<typeof channelForms>>>;

const channel = variants(
  'kind',
  Object.fromEntries(
    names.map((name) => {
      const { forms, rules } = channelKindOf(name);
      return [
        name,
        {
          shape: { ...channelForms, ...forms },
          rules: (given: AlertChannel) => [...rules(given), ...ofAudience(given)],
        },
      ];
    }),
  ),
  { about: 'Kind of the channel.' },
) as unknown as z.ZodType<AlertChannel>;

const ofAudience = ({ customers, tenants }: AlertChannel): readonly Rule[] => [
  [
    customers.length > 0 && tenants.length === 0,
    'customers',
    'needs tenants, since each account has customers of its own',
  ],
];

export const alertsForm = section(
  {
    boardUrl: address
      .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
      .optional()
      .describe('Address at which people reach the board. Default: `ADMIN_URL`, or that of the administrative API.'),
    holdSeconds: wholeNumber(0, 86_400)
      .default(60)
      .describe('How long something must be wrong before anybody is notified.'),
    clearSeconds: wholeNumber(0, 86_400).default(300).describe('How long it must be right before the all clear.'),
    channels: z.array(channel, 'must be a list').min(1, 'must name at least one').describe('Channels, at least one.'),
  },
  ({ channels }) =>
    channels.map(({ name }, index) => [
      channels.findIndex((it) => it.name === name) < index,
      `channels/${index}/name`,
      'repeats that of a channel above',
    ]),
);

export type AlertSettings = Readonly<z.output<typeof alertsForm>>;
