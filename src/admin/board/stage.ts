import { titled } from '../../base/text.ts';
import { kindOf, type SubjectKind } from '../../domain/catalogue/subject.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import type { Stage } from '../../domain/lifecycle/stage.ts';
import { html, type Markup } from './html.ts';

/** An order that the warehouse calls confirmed is shipped. */
export const stageName = (stage: Stage | Milestone, kind: SubjectKind = mainKind): string =>
  kindOf(kind).stageNames?.[stage as Stage] ?? titled(stage);

export const stageBadge = (stage: Stage, kind: SubjectKind): Markup =>
  html`<span class="stage s-${stage}">${stageName(stage, kind)}</span>`;

/** Only the webhook while nothing is recorded. */
export const standing = ({
  stage,
  kind,
  revision,
}: {
  readonly stage: Stage;
  readonly kind: SubjectKind;
  readonly revision: number;
}): Markup => (revision === 0 ? html`<span class="stage">Received</span>` : stageBadge(stage, kind));
