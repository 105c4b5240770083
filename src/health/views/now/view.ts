import { may } from '../../../admin/access.ts';
import { livePage } from '../../../admin/board/responder.ts';
import type { View } from '../../../admin/views/view.ts';
import { nowPage } from './page.ts';
import { createOverview } from './read.ts';

export const nowView: View = {
  pages: [
    {
      path: '/',
      role: 'read',
      open(sources) {
        const { incidents, isOfCustomers, once } = sources;
        const read = createOverview(sources);
        const pageFor = (mayAct: boolean) => async () => {
          const shown = { ...(await read()), incidents: await incidents() };
          return livePage(nowPage, { ...shown, mayAct, isOfCustomers });
        };
        const [acting, reading] = [pageFor(true), pageFor(false)];
        return (_asked, caller) => once(may(caller, 'act') ? acting : reading);
      },
    },
  ],
};
