/** Categories of the reasons for quarantine: each with the beginnings of its reasons, none of which begins another. */
export const quarantineBeginnings = {
  /** The body, or a part of it, is not JSON that is read. */
  unreadable: ['unreadable: '],
  /** The tenant is another's or not usable, or the endpoint was removed. */
  tenant: ['names tenant ', 'the tplId ', 'the endpoint '],
  /** The catalogue does not have the event. */
  event: ['no event type', 'unknown event '],
  /** A person ignores events of this name. Its reasons come last in the alphabet, since a limited count begins with the first. */
  ignored: ['unwanted event '],
  /** The subject of the event cannot be identified. */
  subject: [
    ...(['no id of ', 'no stock summary', 'more than ', 'the stock summary', 'the order', 'the receipt'] as const),
    ...(['the adjustment', 'the assembly', 'the item', 'the hold'] as const),
  ],
  /** Only another version follows the event or its subject. */
  version: ['not an event that this version ', 'not a subject that this version '],
  /** Temporal refuses the workflow of the subject. */
  dispatch: ['Temporal refuses it: '],
  /** The event cannot be observed or written. */
  recording: ['cannot be recorded: '],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Beginnings = typeof quarantineBeginnings;

/** Reason for a quarantine, in words. One that belongs to no category does not compile. */
export type QuarantineText = `${Beginnings[keyof Beginnings][number]}${string}`;

/** Result in place of an event that is quarantined. */
export interface Quarantined {
  readonly quarantined: QuarantineText;
}

/** Category of a reason: `other` if another version wrote it. */
export type QuarantineCategory = keyof Beginnings | 'other';

export const quarantineCategories = [...Object.keys(quarantineBeginnings), 'other'] as readonly QuarantineCategory[];

/** Returns the category of a reason. */
export const categoryOf = (reason: string): QuarantineCategory =>
  quarantineCategories.find(
    (one) => one !== 'other' && quarantineBeginnings[one].some((it) => reason.startsWith(it)),
  ) ?? 'other';
