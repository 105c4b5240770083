import { accessRules } from './access-rules.ts';
import { specifiedEvents } from './events.ts';
import { expansionFacts } from './expansions.ts';
import { type Fact, shown } from './fact.ts';
import { operationFacts } from './operations.ts';
import { transitionFacts } from './transitions.ts';
import { webhookRules } from './webhook-rules.ts';

const retrievals: Readonly<Record<string, string>> = { none: 'no retrieval', 'not shown': 'retrieval not shown' };

const eventFacts: readonly Fact[] = specifiedEvents.map(([type, label, retrieveWith]) =>
  shown(
    'event',
    '6.2',
    `${type}: ${label} (${retrievals[retrieveWith] ?? retrieveWith})`,
    ['domain/catalogue/catalogue', 'the catalogue > %s: %s is retrieved with %s'],
    ['e2e/every-event', '%s the resource in the messages > every event of a family is announced once: %s'],
  ),
);

/** Every operation, expansion, event, transition and rule of the specification. */
export const facts: readonly Fact[] = [
  ...operationFacts,
  ...expansionFacts,
  ...eventFacts,
  ...transitionFacts,
  ...accessRules,
  ...webhookRules,
];
