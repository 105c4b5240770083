import { words } from '../base/text.ts';
import { type Family, familyOf, normalizeName } from './catalogue/catalogue.ts';
import type { WarehouseEvent } from './catalogue/event.ts';

interface NamedEvent {
  readonly name: string;
  readonly families: readonly Family[];
}

type With<Name extends string> = Readonly<Record<Name, string>>;
type About = Readonly<Record<'family', Family>>;

/** Category, and words with the data. */
const reasons = {
  unreadable: ['unreadable', (it: With<'why'>) => `unreadable: ${it.why}`],
  otherTenant: ['tenant', (it: With<'tenant' | 'owner'>) => `names tenant ${it.tenant} at the endpoint of ${it.owner}`],
  unusableTenant: ['tenant', () => 'the tplId is not usable'],
  noEndpoint: ['tenant', (it: With<'endpoint'>) => `the endpoint ${it.endpoint} no longer exists`],
  noName: ['event', () => 'no event type'],
  unknownName: ['event', (it: NamedEvent) => `unknown event ${describeEvent(it)}`],
  ignoredName: ['ignored', (it: NamedEvent) => `ignored event ${describeEvent(it)}`],
  noId: ['subject', (it: About) => `no id of ${describeFamily(it.family)}`],
  noItemId: ['subject', () => 'no id of an order item and its order'],
  unusableId: ['subject', (it: About) => `the ${nounOf(it.family)}'s id is not usable`],
  noStock: ['subject', () => 'no stock summary with its facility and item'],
  emptyStock: ['subject', () => 'no stock summary in the list'],
  tooMuchStock: ['subject', () => 'too many stock summaries in one message'],
  otherEvent: ['version', () => 'not an event that this version follows'],
  otherSubject: ['version', () => 'not a subject that this version follows'],
  rejected: ['dispatch', (it: With<'message'>) => `Temporal refuses it: ${it.message}`],
  unrecordable: ['recording', (it: With<'message'>) => `cannot be recorded: ${it.message}`],
} as const satisfies Readonly<Record<string, readonly [string, (data: never) => string]>>;

type Reasons = typeof reasons;

export type QuarantineCode = keyof Reasons;

export const quarantineCodes = Object.keys(reasons) as [QuarantineCode, ...QuarantineCode[]];

export type QuarantineReason = {
  readonly [Code in QuarantineCode]: { readonly code: Code } & DataOf<Reasons[Code][1]>;
}[QuarantineCode];

type DataOf<Say> = Say extends (data: infer Data) => string ? Data : never;

export interface Quarantined {
  readonly quarantined: QuarantineReason;
}

export type QuarantineCategory = Reasons[QuarantineCode][0];

/** A code that only another version knows is `version`. */
export const categoryOf = (code: QuarantineCode): QuarantineCategory =>
  Object.hasOwn(reasons, code) ? reasons[code][0] : 'version';

export const sayReason = ({ code, ...data }: QuarantineReason): string =>
  Object.hasOwn(reasons, code) ? reasons[code][1](data as never) : code;

/** With its family where the message names one alone. */
export function nameIn(reason: QuarantineReason): EventName | undefined {
  if (reason.code !== 'unknownName' && reason.code !== 'ignoredName') return undefined;
  const [family, ...others] = reason.families;
  return { name: reason.name, family: others.length === 0 ? family : undefined };
}

function describeEvent({ name, families }: NamedEvent): string {
  const described = families.map(describeFamily).join(' and ');
  const about = families.length === 0 ? ': the message names no family' : ` of ${described}`;
  return JSON.stringify(name) + (families.length > 1 ? `: the message names both ${described}` : about);
}

export const IGNORE = 'ignore';

/** Characters that a reason has whole, so that the name can be accepted. */
export const LONGEST_NAME = 60;

/** That people can give a meaning: each unknown webhook reads all of them. */
export const MOST_NAMES = 1000;

export interface EventName {
  readonly name: string;
  /** Undefined if the messages name none, or several. */
  readonly family: Family | undefined;
}

/** `ordershipped`, or for one family `order/ordershipped`. */
export const nameKey = ({ name, family }: EventName): string =>
  family === undefined ? normalizeName(name) : `${family}/${normalizeName(name)}`;

export const nounOf = (family: Family): string => familyOf(family).noun ?? words(family);

/** In a sentence: `an order item`. */
export const describeFamily = (family: Family): string => `${/^[aeiou]/.test(family) ? 'an' : 'a'} ${nounOf(family)}`;

/** Accepted delivery: an event, or the reason of its quarantine. */
export interface Entry {
  readonly eventId: string;
  readonly endpoint: string;
  readonly tenant: string;
  /** Shared by all events of a subject, such as `order:9104:31004581`; absent in quarantine. */
  readonly subjectKey?: string;
  readonly event?: WarehouseEvent;
  readonly quarantineReason?: QuarantineReason;
  readonly receivedAt: number;
  readonly body: Uint8Array;
  /** Each an event or a reason; the entry itself then only keeps the body. */
  readonly rows?: readonly Entry[];
}
