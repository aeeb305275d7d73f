/** How much one user may hold open at a time, of sessions and of subscriptions: nobody shall push everybody else out. */
export const shareOfUser = 100;
