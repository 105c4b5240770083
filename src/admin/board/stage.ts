import type { SubjectKind } from '../../domain/catalogue/subject.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import type { Stage } from '../../domain/lifecycle/stage.ts';
import { html, type Markup } from './html.ts';
import { capitalized, words } from './text.ts';

/** Names of stages and milestones of orders in the words of those who ship them. */
const ofOrders: Readonly<Record<string, string>> = { fullyAllocated: 'Allocated', confirmed: 'Shipped' };

/** Names a stage or a milestone: what the warehouse calls confirmed is a shipped order. */
export const stageName = (stage: Stage | Milestone, kind: SubjectKind = 'order'): string =>
  (kind === 'order' ? ofOrders[stage] : undefined) ?? capitalized(words(stage));

/** Shows a stage by its hue and its name. */
export const stageBadge = (stage: Stage, kind: SubjectKind): Markup =>
  html`<span class="stage s-${stage}">${stageName(stage, kind)}</span>`;

/** Shows the stage of a subject; of one that nothing was recorded of, only that its webhook is here. */
export const standing = ({
  stage,
  kind,
  revision,
}: {
  readonly stage: Stage;
  readonly kind: SubjectKind;
  readonly revision: number;
}): Markup => (revision === 0 ? html`<span class="stage">Received</span>` : stageBadge(stage, kind));
