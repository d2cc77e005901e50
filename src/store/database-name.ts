/** Name of the app's database. */
export const DATABASE_NAME = "earshot";
