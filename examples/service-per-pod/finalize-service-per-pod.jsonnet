// No Service shall be left; the StatefulSet may go (or go on without them) when none is.

function(request) {
  attachments: [],
  finalized: std.length(request.attachments['Service.v1']) == 0,
}
