#include "compiler/model/volcano/setup.h"

namespace gpol::volcano {

GPOL_SPECIAL_MEMBERS_OF(Queue);
GPOL_SPECIAL_MEMBERS_OF(Setup);

}  // namespace gpol::volcano
