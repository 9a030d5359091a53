/* SPDX-License-Identifier: MIT */
/** @file starverse.h
 * All that an application includes. */
#ifndef STARVERSE_H
#define STARVERSE_H

#include <starverse/bucket.h>
#include <starverse/client.h>
#include <starverse/common.h>
#include <starverse/config.h>
#include <starverse/error.h>
#include <starverse/kind.h>
#include <starverse/object.h>
#include <starverse/op.h>
#include <starverse/transport.h>

#include <starverse/account.h>
#include <starverse/app.h>
#include <starverse/billing.h>
#include <starverse/budget.h>
#include <starverse/dataset.h>
#include <starverse/disk.h>
#include <starverse/event.h>
#include <starverse/gpu.h>
#include <starverse/group.h>
#include <starverse/image.h>
#include <starverse/instance.h>
#include <starverse/job.h>
#include <starverse/key.h>
#include <starverse/model.h>
#include <starverse/operation.h>
#include <starverse/snapshot.h>
#include <starverse/storage.h>
#include <starverse/token.h>
#include <starverse/webhook.h>

#endif
