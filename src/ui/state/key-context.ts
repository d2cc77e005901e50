/**
 * What is done by key in a page or dialog that has keys of its own. It says itself that it is in use, see `App.keyContexts`; the
 * keys stand with all others in the table of commands.
 */
export type KeyContext =
  | {
      kind: "columns";
      /** Goes to the column so many to the right. */
      step: (by: -1 | 1) => void;
      /** Moves the column that is in use so many to the right. */
      move: (by: -1 | 1) => void;
      add: () => void;
    }
  | { kind: "wall"; leave: () => void; fill: () => void }
  | {
      kind: "raw";
      /** Goes along with the newest lines, or stays where one reads. */
      toggleFollow: () => void;
      copy: () => void;
      clear: () => void;
      back: () => void;
    }
  | {
      kind: "picture";
      zoom: (by: -1 | 1) => void;
      fit: () => void;
      /** Moves what is seen of an enlarged picture by so many steps. */
      look: (right: -1 | 0 | 1, down: -1 | 0 | 1) => void;
    };
