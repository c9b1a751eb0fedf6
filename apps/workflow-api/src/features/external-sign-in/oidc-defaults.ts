/** What a provider is asked for unless the settings say otherwise. */
export const defaultScopes: readonly string[] = ['openid', 'profile', 'email'];

/** Where a provider says the groups of a person unless the settings say otherwise. */
export const defaultGroupsClaim = 'groups';
