import { z } from 'zod';
import type { Reader } from '../../../base/json.ts';
import type { Snapshot } from '../../lifecycle/snapshot.ts';
import { readFlag } from '../../wire-values.ts';
import { amount, derived, exact, flag, hidden, id, part, section, text } from '../section.ts';
import { parties } from '../transaction.ts';

const dimensions = section('itemDimensions', {
  length: amount('options.packageUnit.imperial.length', 'As the warehouse says it.'),
  width: amount('options.packageUnit.imperial.width', 'As the warehouse says it.'),
  height: amount('options.packageUnit.imperial.height', 'As the warehouse says it.'),
  weight: amount('options.packageUnit.imperial.weight', 'As the warehouse says it.'),
});

const advice = section(
  'item',
  {
    sku: text('sku', 'SKU.'),
    itemId: id('itemId', 'Id of the item in the warehouse.'),
    description: text('description', 'Description of the item.'),
    upc: text('upc', 'Universal Product Code.'),
    unit: text('options.inventoryUnit.unitIdentifier.name', 'Unit in which stock is counted.'),
    customer: parties.customer,
    dimensions: part(dimensions),
    isActive: derived(z.boolean(), 'It is in use.'),
    isInactive: hidden(flag('readOnly.deactivated')),
  },
  ({ isInactive }) => ({ isActive: isInactive === undefined ? undefined : !isInactive }),
);

export const itemAdvice = {
  ...advice,
  state: (_record: unknown, fact: Reader): Snapshot => exact({ deactivated: readFlag(fact('deactivated')) }),
};
