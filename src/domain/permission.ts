import type { SubjectKind } from './catalogue/subject.ts';
import { milestoneIn } from './lifecycle/milestone.ts';
import { type DestinationFilter, wants } from './routing.ts';

interface Concerning {
  /** `order:9104:31004581/3/packed`. */
  readonly id: string;
  /** Customer of its subject after the change; null while that is unknown. */
  readonly customerId: string | null;
}

declare const permitted: unique symbol;

/** Something that a receiver may have now: only {@link permit} makes one, and nothing is sent without. */
export type Permitted<T> = T & { readonly [permitted]: true };

/**
 * The question at every way out, asked as something goes out: may this receiver have this, with this customer, now? Returns it if so. A
 * receiver with customers gets nothing of others, nor anything of which the customer is unknown.
 */
export const permit = <T extends Concerning>(receiver: DestinationFilter, it: T): Permitted<T> | undefined =>
  wants(receiver, { kind: kindIn(it.id), milestone: milestoneIn(it.id), customerId: it.customerId })
    ? (it as Permitted<T>)
    : undefined;

/** Permits without asking: a test of a connection, which is about nobody, or everything to whoever may have everything. */
export const permitAnyone = <T>(it: T): Permitted<T> => it as Permitted<T>;

const kindIn = (id: string): SubjectKind => id.slice(0, id.indexOf(':')) as SubjectKind;
