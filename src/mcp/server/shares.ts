/** The most sessions, or subscriptions, that one user may hold open, so that no user can use up all of them. */
export const shareOfUser = 100;
