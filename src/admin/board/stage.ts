import { titled } from '../../base/text.ts';
import { isWatched, kindOf, type SubjectKind, type SubjectRef } from '../../domain/catalogue/subject.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import type { Lifecycle, Observation } from '../../domain/lifecycle/lifecycle.ts';
import { isLast, type Milestone } from '../../domain/lifecycle/milestone.ts';
import { courseOfOrders, type Stage } from '../../domain/lifecycle/stage.ts';
import type { Standing } from '../../domain/lifecycle/standing.ts';
import { html } from './html.ts';

interface Step {
  readonly milestone: Milestone;
  readonly at: number | null;
  readonly ms: number | null;
  readonly isInferred: boolean;
}

/** They do not tell how far a subject is. */
const aside = ['attention', 'lateness', 'change'];

/** By time, then those that an order has yet to reach: none before its furthest. */
export function stepsOf(
  kind: SubjectKind,
  { registers, inferred }: Pick<Lifecycle, 'registers' | 'inferred'>,
): readonly Step[] {
  const own = Object.entries(registers).filter(([register]) => !register.includes(':') && !aside.includes(register));
  const reached = own
    .flatMap(([, observation]): Observation[] => (observation ? [observation] : []))
    .sort((a, b) => a.time - b.time);
  const isOver = reached.some(({ milestone }) => isLast(milestone));
  const isReached = (it: Milestone) => reached.some(({ milestone }) => milestone === it);
  const furthest = courseOfOrders.findLastIndex(isReached);
  const ahead = isWatched(kind) && !isOver ? courseOfOrders.slice(furthest + 1) : [];
  return [
    ...reached.map(({ milestone, time }, index) => {
      const next = reached[index + 1];
      return { milestone, at: time, ms: next ? next.time - time : null, isInferred: inferred.includes(milestone) };
    }),
    ...ahead.map((milestone) => ({ milestone, at: null, ms: null, isInferred: false })),
  ];
}

/** An order that the warehouse calls confirmed is shipped. */
export const stageName = (stage: Stage | Milestone, kind: SubjectKind = mainKind): string =>
  kindOf(kind).stageNames?.[stage as Stage] ?? titled(stage);

export const standing = ({ stage, revision, kind }: Pick<Standing, 'stage' | 'revision'> & Pick<SubjectRef, 'kind'>) =>
  revision === 0
    ? html`<span class="stage">Received</span>`
    : html`<span class="stage s-${stage}">${stageName(stage, kind)}</span>`;
