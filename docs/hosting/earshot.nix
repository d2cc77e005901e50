# Earshot with its topic server as a module of NixOS: docs/install/nixos.md
{ pkgs, ... }:
let
  earshot = pkgs.runCommand "earshot" { } ''
    mkdir $out
    tar -xzf ${./earshot.tgz} -C $out --strip-components=1
  '';
  # Options of the server: docs/server.md. What stands here can be read by everybody on the machine; for passwords make
  # a file with `earshot init` and name it instead.
  config = pkgs.writeText "earshot.json" (builtins.toJSON {
    stateFile = "/var/lib/earshot/state.ndjson";
    attachments.folder = "/var/lib/earshot/attachments";
  });
in
{
  systemd.services.earshot = {
    description = "Earshot, with its topic server";
    wantedBy = [ "multi-user.target" ];
    after = [ "network-online.target" ];
    wants = [ "network-online.target" ];
    serviceConfig = {
      ExecStart = "${pkgs.nodejs}/bin/node ${earshot}/bin/earshot.js --config \${CREDENTIALS_DIRECTORY}/earshot.json";
      LoadCredential = "earshot.json:${config}";
      Restart = "on-failure";
      DynamicUser = true;
      StateDirectory = "earshot";
      ProtectHome = true;
      PrivateDevices = true;
      CapabilityBoundingSet = "";
    };
  };
}
