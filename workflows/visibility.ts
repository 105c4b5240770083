import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, upsertMemo, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { progressOf } from '../src/domain/progress.ts';
import { type SearchAttributeName, searchAttributes } from '../src/domain/search-attributes.ts';
import { stageOf } from '../src/domain/stage.ts';
import { attentionOf, type LifeState } from './state.ts';

/** Shows in the Temporal UI where the subject stands: search attributes and memo where they changed, current details always. */
export function show(state: LifeState): void {
  const pairs = workflowInfo().typedSearchAttributes.getAll();
  const shown = new Map(pairs.map(({ key, value }) => [key.name, String(value)]));
  const changed = Object.entries(searchAttributesOf(state)).flatMap(([name, value]) => {
    const key = defineSearchAttributeKey(name, searchAttributes[name as SearchAttributeName]);
    return shown.get(name) === (value === null ? undefined : String(value))
      ? []
      : [{ key, value } as SearchAttributeUpdatePair];
  });
  if (changed.length > 0) upsertSearchAttributes(changed);
  showMemo(state);
  showDetails(state);
}

/** Sets the current details, which every run has to do for itself: they are not part of its history. */
export function showDetails(state: LifeState): void {
  setCurrentDetails(detailsOf(state));
}

/** Stores index no more of a keyword than this. */
const KEYWORD_LIMIT = 255;

const keyword = (value: string | undefined): string | null => value?.slice(0, KEYWORD_LIMIT) ?? null;

function searchAttributesOf(state: LifeState): Record<SearchAttributeName, string | Date | null> {
  const { snapshot, lastEventTime } = state.lifecycle;
  return {
    Stage: stageOf(state.lifecycle),
    Customer: keyword(snapshot?.customerId),
    Facility: keyword(snapshot?.facilityId),
    ReferenceNumber: keyword(snapshot?.referenceNumber),
    Attention: attentionOf(state),
    LastEventTime: lastEventTime > 0 ? new Date(lastEventTime) : null,
  };
}

function showMemo({ lifecycle: { snapshot } }: LifeState): void {
  const shown = workflowInfo().memo ?? {};
  const wanted = {
    reference: snapshot?.referenceNumber,
    customer: snapshot?.customerName,
    facility: snapshot?.facilityName,
  };
  const changed = Object.entries(wanted).filter(([name, value]) => value !== undefined && shown[name] !== value);
  if (changed.length > 0) upsertMemo(Object.fromEntries(changed));
}

function detailsOf(state: LifeState): string {
  const { subject, lifecycle, timeline } = state;
  const { snapshot } = lifecycle;
  const attention = attentionOf(state);
  const facts = [
    `stage **${stageOf(lifecycle)}**${attention ? ` · **${attention}: needs attention**` : ''}`,
    `revision ${lifecycle.revision}`,
    snapshot?.customerName ?? snapshot?.customerId,
    snapshot?.facilityName ?? snapshot?.facilityId,
    ...measuresOf(state),
  ].filter(Boolean);
  return [
    `### ${titleOf(subject.kind)} ${snapshot?.referenceNumber ?? subject.id}`,
    facts.join(' · '),
    '',
    ...timeline,
  ].join('\n');
}

/** How far an order's lines are, or how much there is of an item. */
function measuresOf({ subject, lifecycle }: LifeState): string[] {
  const { lines, picked, packed } = progressOf(lifecycle);
  const ofLines = lines === null ? '' : ` of ${lines}`;
  const levels = Object.entries(lifecycle.snapshot?.levels ?? {}).map(([name, amount]) => `${name} ${amount}`);
  return subject.kind === 'order' && picked + packed > 0
    ? [`${picked}${ofLines} lines picked`, `${packed}${ofLines} packed`]
    : levels;
}

const titleOf = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1);
