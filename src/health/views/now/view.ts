import { livePage } from '../../../admin/board/responder.ts';
import type { View } from '../../../admin/views/view.ts';
import { nowPage } from './page.ts';
import { createOverview } from './read.ts';

/** First page: what needs a person, where the orders are, and whether anything moves. Its readers share its values. */
export const nowView: View = {
  pages: [
    {
      path: '/',
      role: 'read',
      open(sources) {
        const { hasStageLimits, incidents, isOfCustomers, share } = sources;
        const read = createOverview(sources);
        return share(async () => {
          return livePage(nowPage, {
            ...(await read()),
            incidents: await incidents(),
            hasStageLimits,
            isOfCustomers,
          });
        });
      },
    },
  ],
};
