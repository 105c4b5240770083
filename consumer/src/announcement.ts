import type { AdviceOf } from './advice.ts';
import { milestonesOf, type Stage } from './milestones.ts';
import type { Snapshot } from './snapshot.ts';

/** Kind of a subject. */
export type Kind = keyof typeof milestonesOf;

/** Point of a lifecycle that subjects of a kind reach, or that is taken back. */
export type Milestone<K extends Kind = Kind> = (typeof milestonesOf)[K][number];

/** Record of the warehouse as `JSON.parse` reads it, which rounds numbers beyond 2^53. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Members of `data` that are records. */
export const recordNames = [
  ...(Object.keys(milestonesOf) as Kind[]),
  'orderItem',
  'user',
  'customer',
  'pickList',
] as const;

/** Member of `data` that is a record. */
export type RecordName = (typeof recordNames)[number];

/** Members of `data`. Dockline may add others. */
export interface AnnouncementData<K extends Kind = Kind, M extends string = Milestone> {
  /** Warehouse account. */
  readonly tenant: string;
  readonly kind: K;
  readonly id: string;
  readonly milestone: M;
  /** Number that counts up for each subject without gaps. */
  readonly revision: number;
  /** Revision of the announcement that this endpoint gets before it; null for its first. Absent from one that was not received. */
  readonly previous?: number | null | undefined;
  /** Somebody had it sent again, though it may have been taken. */
  readonly replay?: true | undefined;
  readonly stage: Stage;
  /** No event reported it, but the record shows it. */
  readonly inferred: boolean;
  /** It happened before something that was announced already, or the clock tells it after five minutes. */
  readonly late: boolean;
  /** The embedded record does not show the event yet. */
  readonly recordLags?: boolean | undefined;
  readonly cause: 'event' | 'snapshot' | 'clock';
  /** Event of the warehouse; null for what is inferred or comes from the clock. */
  readonly event: { readonly id: string; readonly name: string; readonly time: string } | null;
  /** Number of stock changes that this announcement stands for. */
  readonly coalesced?: number | undefined;
  /** Stock and holds: the facts before the change, and after it. */
  readonly before?: Snapshot | null | undefined;
  readonly after?: Snapshot | undefined;
  /** Every other kind: the facts as last retrieved. */
  readonly snapshot?: Snapshot | null | undefined;
  /** Number of an order's lines, and how many of them are picked and packed. */
  readonly progress?: { readonly lines: number | null; readonly picked: number; readonly packed: number } | undefined;
  /** Time by which it is to be done, from when it is at risk, and why. */
  readonly deadline?:
    | {
        readonly dueAt: string;
        readonly atRiskAt: string;
        readonly because: string;
        /** Of what is at risk: when it will probably ship, and why. */
        readonly forecast?:
          | {
              readonly expectedAt: string;
              readonly earliest: string;
              readonly latest: string;
              readonly because: string;
            }
          | undefined;
      }
    | undefined;
  /** Line of the order that the announcement is about, and its state. */
  readonly orderItemId?: string | undefined;
  readonly picked?: boolean | undefined;
  readonly packed?: boolean | undefined;
  /** The record in plain words; absent without a record. */
  readonly advice?: AdviceOf[K] | undefined;
  /** Members of the advice that differ from the announcement before: `trackingNumbers`, `lines.2.shipped`. */
  readonly changed?: readonly string[] | undefined;
  readonly resourceFrom: 'warehouse' | 'earlier' | 'message' | null;
  /** Members that are null because the warehouse did not return them, or because this endpoint gets announcements without them. */
  readonly missing?: readonly RecordName[] | undefined;
  /** Members that this endpoint got the announcement without, each with the path where it can be fetched. */
  readonly recordsAt?: { readonly [N in RecordName]?: string } | undefined;
  /** Path where those who run Dockline can read the whole announcement; set if records were left out. */
  readonly wholeAt?: string | undefined;
  readonly order?: Json | undefined;
  readonly orderItem?: Json | undefined;
  readonly receipt?: Json | undefined;
  readonly adjustment?: Json | undefined;
  readonly assembly?: Json | undefined;
  readonly item?: Json | undefined;
  readonly stock?: Json | undefined;
  readonly hold?: Json | undefined;
  readonly customer: Json;
  readonly user: Json;
  readonly pickList?: Json | undefined;
}

/** CloudEvent that announces one change of a subject. */
export interface KnownAnnouncement<K extends Kind, M extends string> {
  readonly specversion: '1.0';
  /** Id of the announcement, which never changes: `order:9104:31004581/5/packed`. */
  readonly id: string;
  readonly source: string;
  readonly type: `dockline.${K}.${M}`;
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** Name of the schema of `data`, with the version of the contract: `urn:dockline:order.packed:2`. */
  readonly dataschema: string;
  /** Revision of the subject, as ten digits. */
  readonly sequence: string;
  /** Key of the subject: announcements that share it are in order. */
  readonly partitionkey: string;
  /** Trace in which the change was recorded (W3C Trace Context). */
  readonly traceparent?: string | undefined;
  readonly data: AnnouncementData<K, M>;
}

/** Announcement of a type that this version does not know: one of a later Dockline, or a test of the connection. */
export interface UnknownAnnouncement {
  readonly type: 'unknown';
  /** Type that the announcement has. */
  readonly sentType: string;
  readonly id: string;
  readonly source: string;
  /** Absent if it is about no subject. */
  readonly sequence?: string | undefined;
  readonly partitionkey?: string | undefined;
  readonly data: unknown;
}

/** Announcement, by its `type`. */
export type Announcement =
  | { [K in Kind]: { [M in Milestone<K>]: KnownAnnouncement<K, M> }[Milestone<K>] }[Kind]
  | UnknownAnnouncement;
