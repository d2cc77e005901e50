// The words of the connection's details come with their code.
export { health as healthWords } from "./en/health";
