// kubectl's own commands, in a process that stays: the plays call kubectl thousands of times, and to begin a process,
// read what the server has and shake hands costs it twenty times what the request does. ../client asks on the socket that
// is the only argument. KUBECONFIG is this process's own.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/kubectl/pkg/cmd/annotate"
	"k8s.io/kubectl/pkg/cmd/apply"
	"k8s.io/kubectl/pkg/cmd/create"
	"k8s.io/kubectl/pkg/cmd/delete"
	"k8s.io/kubectl/pkg/cmd/get"
	"k8s.io/kubectl/pkg/cmd/label"
	"k8s.io/kubectl/pkg/cmd/patch"
	"k8s.io/kubectl/pkg/cmd/replace"
	"k8s.io/kubectl/pkg/cmd/scale"
	"k8s.io/kubectl/pkg/cmd/util"
	"k8s.io/kubectl/pkg/cmd/wait"
	"k8s.io/kubectl/pkg/validation"
)

type streams = genericiooptions.IOStreams

var commands = map[string]func(util.Factory, streams) *cobra.Command{
	"annotate": func(f util.Factory, s streams) *cobra.Command { return annotate.NewCmdAnnotate("kubectl", f, s) },
	"apply":    func(f util.Factory, s streams) *cobra.Command { return apply.NewCmdApply("kubectl", f, s) },
	"create":   create.NewCmdCreate,
	"delete":   delete.NewCmdDelete,
	"get":      func(f util.Factory, s streams) *cobra.Command { return get.NewCmdGet("kubectl", f, s) },
	"label":    label.NewCmdLabel,
	"patch":    patch.NewCmdPatch,
	"replace":  replace.NewCmdReplace,
	"scale":    scale.NewCmdScale,
	"wait":     func(f util.Factory, s streams) *cobra.Command { return wait.NewCmdWait(f, s) },
}

// known is what the API server said that it has, for all commands; asked anew when a command looks for something else.
type known struct {
	discovery.CachedDiscoveryInterface
	lock  sync.Mutex
	asked time.Time
}

func (k *known) Fresh() bool {
	k.lock.Lock()
	defer k.lock.Unlock()
	return time.Since(k.asked) < 300*time.Millisecond
}

func (k *known) Invalidate() {
	k.lock.Lock()
	k.asked = time.Now()
	k.lock.Unlock()
	k.CachedDiscoveryInterface.Invalidate()
}

// getter is a command's own flags, with what all commands know.
type getter struct {
	*genericclioptions.ConfigFlags
	known *known
}

var mapper meta.ResettableRESTMapper

func (g getter) ToDiscoveryClient() (discovery.CachedDiscoveryInterface, error) { return g.known, nil }
func (g getter) ToRESTMapper() (meta.RESTMapper, error) {
	return restmapper.NewShortcutExpander(mapper, g.known, nil), nil
}

type factory struct{ util.Factory }

// Validator leaves it to the server, as kubectl's own does with one that can: the request says how strict it is to be.
func (f factory) Validator(string) (validation.Schema, error) { return validation.NullSchema{}, nil }

type exit struct {
	message string
	status  int
}

type request struct {
	Directory string
	Arguments []string
}

// prepared is the request's arguments, its files as this process finds them; `-` becomes a file with what `in` has.
func prepared(r request, in io.Reader) (arguments []string, temporary string, err error) {
	for i := 0; i < len(r.Arguments); i++ {
		argument := r.Arguments[i]
		arguments = append(arguments, argument)
		if (argument != "-f" && argument != "--patch-file") || i+1 == len(r.Arguments) {
			continue
		}
		i++
		path := r.Arguments[i]
		if path == "-" {
			file, err := os.CreateTemp("", "kubectl-stdin-*.yaml")
			if err != nil {
				return nil, "", err
			}
			temporary, path = file.Name(), file.Name()
			_, err = io.Copy(file, in)
			if closed := file.Close(); err == nil {
				err = closed
			}
			if err != nil {
				return nil, temporary, err
			}
		} else if !filepath.IsAbs(path) && !strings.Contains(path, "://") {
			path = filepath.Join(r.Directory, path)
		}
		arguments = append(arguments, path)
	}
	return arguments, temporary, nil
}

func run(r request, known *known, s streams) (status int) {
	defer func() {
		switch failure := recover().(type) {
		case nil:
		case exit:
			if failure.message != "" {
				fmt.Fprintln(s.ErrOut, strings.TrimSuffix(failure.message, "\n"))
			}
			status = failure.status
		default:
			fmt.Fprintf(s.ErrOut, "kubectl: %v\n%s", failure, debug.Stack())
			status = 1
		}
	}()
	arguments, temporary, err := prepared(r, s.In)
	if temporary != "" {
		defer os.Remove(temporary)
	}
	flags := genericclioptions.NewConfigFlags(true)
	root := &cobra.Command{Use: "kubectl", SilenceUsage: true, SilenceErrors: true}
	flags.AddFlags(root.PersistentFlags())
	f := factory{util.NewFactory(getter{flags, known})}
	for i := 0; i < len(arguments); i++ { // as ../client finds it
		if !strings.HasPrefix(arguments[i], "-") {
			if command := commands[arguments[i]]; command != nil {
				root.AddCommand(command(f, s))
			}
			break
		}
		if !strings.Contains(arguments[i], "=") {
			i++
		}
	}
	root.SetArgs(arguments)
	root.SetOut(s.Out)
	root.SetErr(s.ErrOut)
	if err == nil {
		err = root.Execute()
	}
	if err != nil {
		fmt.Fprintln(s.ErrOut, "error:", err)
		return 1
	}
	return 0
}

func answer(conn *net.UnixConn, known *known) {
	defer conn.Close()
	var first [1]byte
	control := make([]byte, syscall.CmsgSpace(3*4))
	_, n, _, _, err := conn.ReadMsgUnix(first[:], control)
	if err != nil {
		return
	}
	messages, err := syscall.ParseSocketControlMessage(control[:n])
	if err != nil || len(messages) != 1 {
		return
	}
	fds, err := syscall.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 3 {
		return
	}
	var files [3]*os.File
	for i, fd := range fds {
		syscall.CloseOnExec(fd)
		files[i] = os.NewFile(uintptr(fd), "stream")
	}
	var r request
	status := 1
	if err := json.NewDecoder(conn).Decode(&r); err == nil {
		status = run(r, known, streams{In: files[0], Out: files[1], ErrOut: files[2]})
	}
	for _, file := range files {
		file.Close()
	}
	conn.Write([]byte{byte(status)})
}

func serve(socket string) error {
	config, err := genericclioptions.NewConfigFlags(true).ToRESTConfig()
	if err != nil {
		return err
	}
	config.QPS = -1
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	k := &known{CachedDiscoveryInterface: memory.NewMemCacheClient(client)}
	mapper = restmapper.NewDeferredDiscoveryRESTMapper(k)
	util.BehaviorOnFatal(func(message string, status int) { panic(exit{message, status}) })
	rest.SetDefaultWarningHandler(rest.NoWarnings{}) // it would not know whom to warn
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return err
	}
	for {
		conn, err := listener.AcceptUnix()
		if err != nil {
			return err
		}
		go answer(conn, k)
	}
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: kubectl-server SOCKET")
		os.Exit(2)
	}
	fmt.Fprintln(os.Stderr, serve(os.Args[1]))
	os.Exit(1)
}
