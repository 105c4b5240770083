import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, upsertMemo, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { escapedWithin, sound, titled, words } from '../src/base/text.ts';
import { type SearchAttributeName, searchAttributeChoices, searchAttributes } from '../src/domain/search-attributes.ts';
import { type SubjectState, viewOf } from './state.ts';

/** Publishes search attributes and memo if they changed, current details always. */
export function show(state: SubjectState): void {
  const pairs = workflowInfo().typedSearchAttributes.getAll();
  const shown = new Map(pairs.map(({ key, value }) => [key.name, sound(String(value))]));
  const { searchAttributes: chosen = 'all' } = state.settings;
  const kept: readonly string[] = (typeof chosen === 'string' ? searchAttributeChoices[chosen] : chosen) ?? [];
  const changed = Object.entries(searchAttributesOf(state)).flatMap(([name, current]) => {
    const key = defineSearchAttributeKey(name, searchAttributes[name as SearchAttributeName]);
    // What is kept no longer is removed, or it would be out of date for ever.
    const value = kept.includes(name) ? current : null;
    return shown.get(name) === (value === null ? undefined : String(value))
      ? []
      : [{ key, value } as SearchAttributeUpdatePair];
  });
  const isWorthwhile = changed.some(({ key }) => key.name !== 'LastEventTime' || !state.settings.eventTimeWithOthers);
  if (isWorthwhile) upsertSearchAttributes(changed);
  showMemo(state);
  showDetails(state);
}

/** Every run sets its own, because they are not part of the history. */
export function showDetails(state: SubjectState): void {
  setCurrentDetails(detailsOf(state));
}

function searchAttributesOf(state: SubjectState): Record<SearchAttributeName, string | string[] | Date | null> {
  const { stage, attention, lifecycle } = viewOf(state);
  const { snapshot, lastEventTime } = lifecycle;
  return {
    Stage: stage,
    Customer: soundOf(snapshot?.customerId) ?? null,
    Facility: soundOf(snapshot?.facilityId) ?? null,
    ReferenceNumber: soundOf(snapshot?.referenceNumber) ?? null,
    Attention: attention.length > 0 ? [...attention] : null,
    DueAt: state.standing?.dueAt === undefined ? null : new Date(state.standing.dueAt),
    Lateness: state.standing?.lateness ?? null,
    LastEventTime: lastEventTime > 0 ? new Date(lastEventTime) : null,
  };
}

function showMemo(state: SubjectState): void {
  const { snapshot } = viewOf(state).lifecycle;
  const shown = workflowInfo().memo ?? {};
  const wanted = {
    reference: soundOf(snapshot?.referenceNumber),
    customer: soundOf(snapshot?.customerName),
    facility: soundOf(snapshot?.facilityName),
  };
  const isShown = (name: string, value: string) => shown[name] !== undefined && sound(String(shown[name])) === value;
  const changed = Object.entries(wanted).filter(([name, value]) => value !== undefined && !isShown(name, value));
  if (changed.length > 0) upsertMemo(Object.fromEntries(changed));
}

function detailsOf(state: SubjectState): string {
  const { kind, id } = state.subject;
  const { stage, attention, lifecycle } = viewOf(state);
  const { revision, snapshot } = lifecycle;
  const facts = [
    `stage **${stage}**${attention.length > 0 ? ` · **${attention.join(', ')}: needs attention**` : ''}`,
    `revision ${revision}`,
    escapedWithin(snapshot?.customerName ?? snapshot?.customerId ?? '', NAME_LIMIT),
    escapedWithin(snapshot?.facilityName ?? snapshot?.facilityId ?? '', NAME_LIMIT),
    ...latenessOf(state),
    ...measuresOf(state),
  ].filter(Boolean);
  const title = `### ${titled(kind)} ${escapedWithin(snapshot?.referenceNumber ?? id, NAME_LIMIT)}`;
  const head = [title, facts.join(' · '), ''];
  const room = DETAILS_LIMIT - encodeURIComponent(`${head.join('\n')}\n`).length;
  return [...head, ...newest(state.timeline, room)].join('\n');
}

function latenessOf({ standing }: SubjectState): string[] {
  if (standing?.dueAt === undefined || standing.isOver) return [];
  const due = `due ${new Date(standing.dueAt).toISOString()}`;
  return [standing.lateness ? `**${standing.lateness === 'atRisk' ? 'at risk' : 'overdue'}**, ${due}` : due];
}

/** The UI asks for `/render?content=…`, and proxies take 8 KB with the rest of the line: characters of an encoded address. */
const DETAILS_LIMIT = 7000;

const NAME_LIMIT = 1000;

function newest(lines: readonly string[], limit: number): string[] {
  let room = limit;
  const isBeyond = (line: string) => {
    room -= encodeURIComponent(`${line}\n`).length;
    return room < 0;
  };
  const all = lines.map(sound);
  return all.slice(all.findLastIndex(isBeyond) + 1);
}

function measuresOf(state: SubjectState): string[] {
  const { progress, lifecycle } = viewOf(state);
  if (!progress)
    return Object.entries(lifecycle.snapshot?.levels ?? {}).map(([name, amount]) => `${words(name)} ${amount}`);
  const { lines, picked, packed } = progress;
  const ofLines = lines === null ? '' : ` of ${lines}`;
  return picked + packed > 0 ? [`${picked}${ofLines} lines picked`, `${packed}${ofLines} packed`] : [];
}

const soundOf = (text: string | undefined): string | undefined => text && sound(text);
