/* SPDX-License-Identifier: MIT */
/* With a single id there is nobody to give a file to: changing owners is answered with success, so
 * that package managers and sshd, which insist on it, go on. */
#include "sandbox.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <starverse/common.h>

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define OWN_ARCH AUDIT_ARCH_RISCV64
#elif defined(__loongarch64)
#define OWN_ARCH AUDIT_ARCH_LOONGARCH64
#endif

static const int pretended[] = {
#ifdef SYS_chown
	SYS_chown,
	SYS_lchown,
#endif
	SYS_fchown,
	SYS_fchownat,
	SYS_setgroups,
};

#define N_PRETENDED (sizeof(pretended) / sizeof(*pretended))

int sv_seccomp_install(void)
{
#ifdef OWN_ARCH
	struct sock_filter code[N_PRETENDED + 6];
	unsigned short n = 0;
	struct sock_fprog program = { .filter = code };

	code[n++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	code[n++] = (struct sock_filter)BPF_JUMP(
		BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 0, N_PRETENDED + 1);
	code[n++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (unsigned i = 0; i < N_PRETENDED; i++)
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
			(unsigned)pretended[i], (unsigned char)(N_PRETENDED - i), 0);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 0);
	program.len = n;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? SV_IO : SV_OK;
#else
	return SV_UNSUPPORTED;
#endif
}
