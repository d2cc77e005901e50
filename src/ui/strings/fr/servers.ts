import type { Translation } from "../catalogue";
import { count, duration } from "../format";
import { until } from "./formats";

/** Moving a server, and trying what is wrong with one. */
export const servers: Translation["servers"] = {
  address: "Adresse",
  settings: "Réglages du serveur",
  signIn: {
    hint: "Le mot de passe est échangé contre un jeton là où le serveur en donne un, et n’est alors pas stocké. Envoyé à ce serveur seulement, dans un lien seulement si vous le choisissez.",
    out: "Se déconnecter",
    outHint: "La déconnexion met fin au jeton qu’Earshot a reçu du serveur, aussi pour ceux à qui il a été transmis.",
    byPassword: "Le mot de passe est stocké sur cet appareil.",
    byToken: "Un jeton est stocké à la place du mot de passe.",
    until: (said) => `Un jeton est stocké à la place du mot de passe, valable ${until(said)}.`,
    done: (server) => `Déconnecté de ${server}`,
    left: (server) =>
      `Déconnecté de ${server}. Le serveur n’a pas pu être prévenu ; le jeton y reste donc valable jusqu’à son terme.`,
    ends: (server, said) => `La connexion à ${server} prend fin ${said}.`,
    ended: (server) => `La connexion à ${server} a pris fin.`,
  },
  headers: {
    label: "En-têtes supplémentaires",
    hint: "Pour un proxy devant le serveur qui les demande, un par ligne, par exemple X-Key: abc. Ils ne vont qu’à ce serveur ; les messages arrivent alors en lignes JSON par HTTP.",
    transport:
      "Les messages arrivent en lignes JSON, car un navigateur n’envoie d’en-têtes supplémentaires qu’avec de simples requêtes.",
    fault: (line) =>
      line === 0 ? "Il y a trop d’en-têtes." : `La ligne ${line} n’est pas un en-tête qu’une page peut envoyer.`,
  },
  account: {
    button: "Sujets du compte…",
    heading: (server) => `Sujets du compte sur ${server}`,
    asking: "Le serveur est interrogé…",
    none: "Tous les sujets du compte sont déjà ici.",
    offered: "Sans abonnement ici",
    reserved: "réservé pour vous",
    keep: "Synchroniser avec le compte",
    keepHint:
      "Ce qui est ajouté d’un côté l’est aussi de l’autre, et ce qui est retiré ici est retiré du compte. Ce qui est retiré du compte ailleurs reste ici avec ses messages jusqu’à ce que vous le quittiez.",
    leftThere: (topics) => `Retirés du compte ailleurs : ${topics}.`,
    leave: "Les quitter ici aussi",
    left: (n) => `${count(n, { one: "sujet retiré", other: "sujets retirés" })}`,
  },
  move: {
    button: "Déménager…",
    heading: (server) => `Déménager ${server}`,
    hint: "Pour un serveur qui a changé d’adresse. Sujets, messages et marques restent tels quels ; les liens avec l’ancienne adresse mènent à la nouvelle.",
    field: "Nouvelle adresse",
    keep: (who) => `S’y connecter aussi (${who})`,
    keepHint: "Le mot de passe ou le jeton est envoyé à la nouvelle adresse. Sinon, vous vous y reconnectez.",
    plain:
      "La nouvelle adresse est en simple http ; le mot de passe serait donc envoyé sans chiffrement. Appuyez de nouveau sur Déménager pour l’envoyer.",
    taken:
      "Cette adresse est déjà celle d’un de vos serveurs. Quittez d’abord ses sujets si ce serveur prend sa place.",
    same: "C’est son adresse actuelle.",
    anyway: "Déménager quand même",
    save: "Déménager",
    done: (address) => `Déménagé à ${address}`,
    lacksPushes: "Déménagé. Les push n’ont pas pu être activés à la nouvelle adresse.",
  },
  test: {
    button: "Tester",
    heading: (server) => `Test de ${server}`,
    asking: "Demande à l’adresse…",
    trying: "Essai de la connexion, du flux et de l’horloge…",
    repeat: "Tester de nouveau",
    tab: "Ouvrir dans un onglet",
    tabHint: "Dans un onglet, le navigateur affiche son propre message d’erreur, qu’une page ne peut pas voir.",
    grades: { good: "Correct", doubtful: "À vérifier", bad: "Problème" },
    reached: "Un serveur de sujets répond à cette adresse.",
    mixed:
      "Cette page a été chargée en https ; le navigateur ne la laisse donc accéder à aucune adresse http, ou seulement à certaines du réseau local.",
    mixedHint: "Donnez https au serveur, ou ouvrez Earshot lui-même en http.",
    "local-by-http":
      "Cette page a été chargée en http depuis l’extérieur du réseau local ; le navigateur ne la laisse donc rien y atteindre.",
    "local-by-httpHint": "Ouvrez Earshot en https, ou depuis un serveur du réseau local.",
    "local-denied": "Le navigateur a reçu l’ordre de ne pas laisser cette page accéder au réseau local.",
    "local-deniedHint": "Autorisez-le dans les réglages du navigateur pour ce site, sous accès au réseau local.",
    "local-not-asked": "Le navigateur peut encore demander si cette page peut accéder au réseau local.",
    "local-not-askedHint": "Testez de nouveau, et autorisez-le quand le navigateur le demande.",
    offline: "Cet appareil n’a pas de réseau.",
    offlineHint: "Les messages arrivent dès qu’il est de retour.",
    "no-answer": "Pas de réponse, et le navigateur n’en dit pas plus à une page.",
    "no-answerHint":
      "Le serveur est peut-être arrêté, le nom ou le port faux, le certificat non reconnu, ou une extension le bloque. Sur le réseau local, le navigateur n’a peut-être pas non plus l’autorisation du système.",
    slow: "Pas de réponse en 15 secondes, et pas d’erreur non plus.",
    slowHint: "Un pare-feu rejette peut-être les requêtes, le port est peut-être faux, ou le serveur surchargé.",
    unreadable: "Quelque chose répond, mais ne laisse pas cette page lire la réponse.",
    unreadableHint:
      "Les serveurs de sujets le permettent à toute page. Un proxy placé devant retire donc l’en-tête CORS, ou demande sa propre connexion.",
    "something-else": "Quelque chose répond, mais ce n’est pas un serveur de sujets.",
    "something-elseHint":
      "Le chemin est peut-être faux, un proxy demande peut-être sa propre connexion, ou ce réseau demande d’abord une connexion.",
    worker: (said) => `Cette page joint le serveur, mais pas la partie qui reçoit les messages : ${said}`,
    workerHint: "Rechargez la page. Si cela n’aide pas, le serveur limite peut-être les requêtes d’ici.",
    open: "Les sujets peuvent être lus sans connexion.",
    signedIn: (who) => `Connecté en tant que ${who} : les sujets peuvent être lus.`,
    notSignedIn: "Sans connexion",
    refused: (who, said) => `${who} : ${said}`,
    stream: "Un flux s’ouvre : les messages arrivent aussitôt.",
    noStream: "Aucun flux ne s’ouvre en 5 secondes ; les messages sont donc récupérés toutes les quelques secondes.",
    noStreamHint: "Un proxy placé devant le serveur retient probablement les réponses jusqu’à leur fin.",
    keeps: (ms) => `Le serveur conserve les messages ${duration(ms)}.`,
    keepsNothing: "Le serveur ne conserve aucun message : ce qui est envoyé pendant votre absence est perdu.",
    keepsNothingHint: "Qui gère le serveur peut activer son cache.",
    keepsUnknown: "Le serveur ne dit pas combien de temps il conserve les messages.",
    clock: "Les horloges du serveur et de l’appareil s’accordent.",
    ahead: (ms) => `L’horloge du serveur avance de ${duration(ms)} sur celle de cet appareil.`,
    behind: (ms) => `L’horloge du serveur retarde de ${duration(ms)} sur celle de cet appareil.`,
    clockHint: "Rien n’est perdu pour autant, mais les heures semblent fausses. Réglez celle qui est fausse.",
  },
};
