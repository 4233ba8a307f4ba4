/** Days without a refresh after which a session is over (contract, "Session lifetimes"); the cookie lives as long. */
export const idleDays = 30;
